import { canonicalJson } from '../canonical-json.ts'
import type { StackContext, StoredDefinition } from '../definition-noun.ts'
import type { ReadRequest } from './read-request.ts'

/**
 * The hash of a plan: the same request on the same state always has the same one. It is keyed, because the state contains
 * secrets that a reader of the hash could otherwise guess.
 */
export function hashPlan(
  { store, workspace, stack }: StackContext,
  { prune, entities }: ReadRequest['sent'],
  before: ReadonlyMap<string, StoredDefinition | undefined>,
): string {
  const state = [...before].map(([name, found]) => canonicalJson([name, found])).sort()
  const sent = entities.map(canonicalJson).sort()
  return store.signatures.deriveSecret('stack plan', canonicalJson({ id: workspace.id, stack, prune, sent, state }))
}
