/** The shortest password that the service accepts, in characters. */
export const SHORTEST_PASSWORD = 10;
