export const TARGET_METHODS = ['PUT', 'POST'] as const;
export type TargetMethod = (typeof TARGET_METHODS)[number];

export interface HttpSettings {
  readonly url: string;
  readonly method: TargetMethod;
}

export interface HttpConnection extends HttpSettings {
  readonly bearerToken?: string | null;
}

export function authorizationOf({ bearerToken }: HttpConnection): Record<string, string> {
  return bearerToken ? { authorization: `Bearer ${bearerToken}` } : {};
}
