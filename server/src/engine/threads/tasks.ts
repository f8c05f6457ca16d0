import type { PayloadLimits } from '@tocsin/contract'
import { checkDefinition, readDefinition, readStructure } from '../check/index.ts'
import { readEntity, type SentEntity } from '../check/read-entity.ts'
import { readBindings, readMessage, readParts, readProvider, readSpec, type SentParts } from '../check/try-out.ts'
import { readBody } from './read-body.ts'

/** The work that threads do for requests. */
export const tasks = {
  readBody,
  checkDefinition,
  readDefinition: ({ payload, limits }: { payload: unknown; limits: PayloadLimits }) => readDefinition(payload, limits),
  readStructure: ({ payload, limits }: { payload: unknown; limits: PayloadLimits }) => readStructure(payload, limits),
  readEntity: ({ entity, limits }: { entity: SentEntity; limits: PayloadLimits }) => readEntity(entity, limits),
  readParts: ({ parts, limits }: { parts: SentParts; limits: PayloadLimits }) => readParts(parts, limits),
  readSpec,
  readBindings,
  readProvider: ({ provider, limits }: { provider: unknown; limits: PayloadLimits }) => readProvider(provider, limits),
  readMessage,
}
export type Tasks = typeof tasks
