export function PickerPage() {
  return null;
}
