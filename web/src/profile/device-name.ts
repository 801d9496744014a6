/** The first that matches: most browsers also claim to be others. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

export interface DeviceName {
  /** A browser, or the name of a program. */
  readonly browser: string;
  readonly system: string | null;
}

/** What a person would call the device that described itself like this; null if that says nothing. */
export function deviceName(userAgent: string | null): DeviceName | null {
  if (userAgent === null) return null;
  const nameIn = (names: typeof BROWSERS) => names.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null;
  const browser = nameIn(BROWSERS) ?? /^(?!Mozilla\/)[\w.-]+/.exec(userAgent)?.[0];
  return browser === undefined ? null : { browser, system: nameIn(SYSTEMS) };
}
