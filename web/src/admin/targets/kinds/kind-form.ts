import type { ComponentType } from 'react';
import type { Schemas } from '../../../api/client';
import type { Target } from '../targets-query';

export interface TargetFieldsProps {
  /** The target to edit: its address cannot be changed, and its secret is kept. */
  target?: Target;
  /** The target that is entered again. */
  replaced?: Target;
}

/** What the pages know about one kind of target. Its texts are in `admin.targets`. */
export interface KindForm<Body> {
  Fields: ComponentType<TargetFieldsProps>;
  newTargetIn: (form: FormData) => Omit<Body, 'name'>;
  /** Credentials that are left empty do not change. */
  changesIn: (form: FormData) => Omit<Schemas['UpdateTargetDto'], 'name'>;
  addressOf: (target: Target) => string | undefined;
  /** The steps of a verification, in their order. */
  steps: readonly string[];
}
