export function TargetsPage() {
  return null;
}
