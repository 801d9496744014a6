const MAX_LIST_LENGTH = 20;

/** One error for all invalid settings. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`The configuration is invalid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/**
 * Reads typed settings and collects all errors, so that they are reported together. Values are never printed, because they may be secrets.
 */
export class EnvironmentReader {
  private readonly problems: string[] = [];

  constructor(private readonly env: NodeJS.ProcessEnv) {}

  /** An empty setting counts as unset, as in `NAME=` of an env file. */
  text(name: string): string | undefined {
    const value = this.env[name]?.trim();
    return value === '' ? undefined : value;
  }

  integer(name: string, fallback: number, range: { min: number; max: number }): number {
    const value = this.text(name);
    if (value === undefined) return fallback;
    const number = Number(value);
    if (!/^-?\d+$/.test(value) || number < range.min || number > range.max) {
      this.addError(name, `must be a whole number from ${range.min} to ${range.max}`);
      return fallback;
    }
    return number;
  }

  /** Whole numbers, separated by commas. */
  integers(
    name: string,
    fallback: readonly number[],
    range: { min: number; max: number },
  ): readonly number[] {
    const values = (this.text(name) ?? '')
      .split(',')
      .map((value) => value.trim())
      .filter(Boolean);
    if (values.length === 0) return fallback;
    const numbers = values.map(Number);
    const isValid = (value: string, index: number) =>
      /^\d+$/.test(value) && numbers[index]! >= range.min && numbers[index]! <= range.max;
    if (values.length <= MAX_LIST_LENGTH && values.every(isValid)) return numbers;
    this.addError(
      name,
      `must be at most ${MAX_LIST_LENGTH} whole numbers from ${range.min} to ${range.max}, separated by commas`,
    );
    return fallback;
  }

  port(name: string, fallback: number): number {
    return this.integer(name, fallback, { min: 0, max: 65_535 });
  }

  optionalPort(name: string): number | undefined {
    return this.text(name) === undefined ? undefined : this.port(name, 0);
  }

  flag(name: string, fallback: boolean): boolean {
    return this.oneOf(name, ['true', 'false'], fallback ? 'true' : 'false') === 'true';
  }

  oneOf<const T extends string>(name: string, allowed: readonly T[], fallback: T): T {
    const value = this.text(name);
    if (value === undefined) return fallback;
    const match = allowed.find((candidate) => candidate === value);
    if (match === undefined) this.addError(name, `must be one of ${allowed.join(', ')}`);
    return match ?? fallback;
  }

  url(name: string, protocols: readonly string[]): string | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const url = URL.canParse(value) ? new URL(value) : null;
    if (url === null || !protocols.includes(url.protocol) || url.hostname === '') {
      this.addError(
        name,
        `must be a URL starting with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
      );
      return undefined;
    }
    return value;
  }

  origins(name: string): string[] {
    const values = (this.text(name) ?? '')
      .split(',')
      .map((value) => value.trim())
      .filter(Boolean);
    for (const value of values) {
      if (!URL.canParse(value) || new URL(value).origin !== value) {
        this.addError(name, 'must be origins such as https://portal.example.com, separated by commas');
        break;
      }
    }
    return values;
  }

  /** Secrets of at least 32 bytes, separated by commas. */
  secrets(name: string, required: boolean): string[] {
    const values = (this.text(name) ?? '')
      .split(',')
      .map((value) => value.trim())
      .filter(Boolean);
    if (values.length === 0 && required) this.addError(name, 'is required when DATABASE_URL is set');
    if (values.some((value) => Buffer.byteLength(value) < 32))
      this.addError(name, 'must be at least 32 bytes long');
    return values;
  }

  password(name: string, { min, max }: { min: number; max: number }): string | undefined {
    const value = this.text(name);
    const length = value === undefined ? null : [...value].length;
    if (length !== null && (length < min || length > max))
      this.addError(name, `must be ${min} to ${max} characters long`);
    return value;
  }

  addError(name: string, reason: string): void {
    this.problems.push(`${name} ${reason}.`);
  }

  finish(): void {
    if (this.problems.length > 0) throw new ConfigError(this.problems);
  }
}
