import type { DefinitionDrift } from '@tocsin/contract'
import { waitForTurn } from '../../engine/base/event-loop-turns.ts'
import type { AppliedEntity } from '../../store/projects/stacks.ts'
import type { DefinitionNoun, StoredDefinition } from '../definition-noun.ts'
import { diffOf } from '../diff.ts'
import { nameOf } from './read-request.ts'
import type { ShowDiff } from './shown-diff.ts'

/** How entities differ from what the last apply wrote. A deleted entity has lost all its fields. */
export async function findDrift(
  nouns: readonly DefinitionNoun[],
  applied: readonly AppliedEntity[],
  before: ReadonlyMap<string, StoredDefinition | undefined>,
  show: ShowDiff,
): Promise<DefinitionDrift[]> {
  const drift: DefinitionDrift[] = []
  for (const { kind, name, payload } of applied) {
    const key = nameOf(kind, name)
    const noun = nouns.find((noun) => noun.kind === kind)
    if (!noun || !before.has(key)) continue
    await waitForTurn()
    const diff = diffOf(payload, before.get(key)?.payload, noun.maskOf)
    if (diff.length > 0) drift.push({ kind, fullname: name, diff: show(diff) })
  }
  return drift
}
