import { Outlet } from '@tanstack/react-router';
import { UploadPanel } from '../upload/UploadPanel';
import { UploadProvider } from '../upload/UploadProvider';

/** The bar on top and the page below it. */
export function AppShell() {
  return (
    <UploadProvider>
      <Outlet />
      <UploadPanel />
    </UploadProvider>
  );
}
