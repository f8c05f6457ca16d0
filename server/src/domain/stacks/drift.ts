import type { DefinitionDrift } from '@tocsin/contract'
import type { AppliedEntity } from '../../store/projects/stacks.ts'
import type { DefinitionNoun, StoredDefinition } from '../definition-noun.ts'
import { diffOf } from '../diff.ts'
import { nameOf } from './read-request.ts'

/** How entities differ from what the last apply wrote. A deleted entity has lost all its fields. */
export function findDrift(
  nouns: readonly DefinitionNoun[],
  applied: readonly AppliedEntity[],
  before: ReadonlyMap<string, StoredDefinition | undefined>,
): DefinitionDrift[] {
  return applied.flatMap(({ kind, name, payload }) => {
    const key = nameOf(kind, name)
    const noun = nouns.find((noun) => noun.kind === kind)
    const diff = noun && before.has(key) ? diffOf(payload, before.get(key)?.payload, noun.maskOf) : []
    return diff.length > 0 ? [{ kind, fullname: name, diff }] : []
  })
}
