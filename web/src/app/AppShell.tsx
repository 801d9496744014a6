import { Outlet } from '@tanstack/react-router';

/** The bar on top and the page below it. */
export function AppShell() {
  return <Outlet />;
}
