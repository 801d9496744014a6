import type { ReactNode } from 'react';
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components/Tabs';
import styles from './Tabs.module.css';

export interface TabContent<Id extends string> {
  id: Id;
  label: string;
  content: ReactNode;
}

export interface TabsProps<Id extends string> {
  label: string;
  tabs: readonly TabContent<Id>[];
  selected?: Id;
  onChange?: (id: Id) => void;
}

export function Tabs<Id extends string>({ label, tabs, selected, onChange }: TabsProps<Id>) {
  return (
    <AriaTabs selectedKey={selected} onSelectionChange={(key) => onChange?.(key as Id)}>
      <TabList className={styles.list} aria-label={label}>
        {tabs.map((tab) => (
          <Tab key={tab.id} id={tab.id} className={styles.tab}>
            {tab.label}
          </Tab>
        ))}
      </TabList>
      {tabs.map((tab) => (
        <TabPanel key={tab.id} id={tab.id} className={styles.panel}>
          {tab.content}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}
