import { Inject } from '@nestjs/common';

export const CONFIG = Symbol('Config');

/** Injects the one typed configuration object. */
export const InjectConfig = () => Inject(CONFIG);
