export function ClientDiagnosticsPage() {
  return null;
}
