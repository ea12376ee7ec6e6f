import { UsherError } from '../errors.ts';

/** A plugin's definition cannot work: thrown where it is defined, so that the file fails at load with its reason. */
export class DefinitionError extends UsherError {
  constructor(name: string, message: string) {
    super('definition', `${name || 'A definition without a name'}: ${message}`, { data: { name } });
  }
}
