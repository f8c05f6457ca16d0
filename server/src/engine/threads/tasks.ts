import type { PayloadLimits } from '@tocsin/contract'
import { checkDefinition, type Definition, readDefinition, readStructure } from '../check/index.ts'
import { type ReadableParts, readParts } from '../check/try-out.ts'
import { readBody } from './read-body.ts'

/** The work that threads do for requests. */
export const tasks = {
  readBody,
  checkDefinition: (definition: Definition) => checkDefinition(definition),
  readDefinition: ({ payload, limits }: { payload: unknown; limits: PayloadLimits }) => readDefinition(payload, limits),
  readStructure: ({ payload, limits }: { payload: unknown; limits: PayloadLimits }) => readStructure(payload, limits),
  readParts: ({ parts, limits }: { parts: ReadableParts; limits: PayloadLimits }) => readParts(parts, limits),
}
export type Tasks = typeof tasks
