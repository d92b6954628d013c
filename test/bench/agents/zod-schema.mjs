import { z } from 'zod';

/**
 * The flat JSON schema of a tool as the documentation of most packages wants it. Keys that it does
 * not know are dropped, which is kind to a model that adds some.
 */
export const zodSchema = ({ properties, required }, optional = type => type.optional()) =>
  z.object(
    Object.fromEntries(
      Object.entries(properties).map(([name, { type, description }]) => {
        const base = (type === 'integer' ? z.number().int() : z.string()).describe(description);
        return [name, required.includes(name) ? base : optional(base)];
      }),
    ),
  );
