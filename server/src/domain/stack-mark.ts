import { stackLabel } from '@tocsin/contract'

type Labels = Record<string, string>

/** The labels that show the stack of an entity that has no labels of its own. */
export function stackMark(stack: string | null): { labels?: Labels } {
  return stack === null ? {} : { labels: { [stackLabel]: stack } }
}

/**
 * The labels to store. A save that does not mention the stack leaves the entity in its stack: a client that writes a payload
 * of its own does not know the label. An empty value takes the entity out.
 */
export function keepStack(sent: Labels, stored: Labels = {}): Labels {
  const { [stackLabel]: stack = stored[stackLabel], ...labels } = sent
  return stack ? { ...labels, [stackLabel]: stack } : labels
}
