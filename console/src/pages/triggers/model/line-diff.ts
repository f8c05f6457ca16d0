export type DiffLine = { kind: 'same' | 'added' | 'removed'; text: string }

/** The maximum size of the table. For larger texts the middle is shown as removed and added. */
const cellsMax = 4_000_000

/** Computes a diff by the longest common subsequence of lines, without the equal start and end. Cost: O(n · m). */
export function diffLines(before: string[], after: string[]): DiffLine[] {
  const head = commonHead(before, after)
  const tail = commonHead(before.slice(head).reverse(), after.slice(head).reverse())
  const same = (lines: string[]): DiffLine[] => lines.map((text) => ({ kind: 'same', text }))
  return [
    ...same(before.slice(0, head)),
    ...middle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...same(before.slice(before.length - tail)),
  ]
}

function commonHead(a: string[], b: string[]): number {
  let at = 0
  while (at < a.length && at < b.length && a[at] === b[at]) at++
  return at
}

function middle(before: string[], after: string[]): DiffLine[] {
  const removed = (text: string): DiffLine => ({ kind: 'removed', text })
  const added = (text: string): DiffLine => ({ kind: 'added', text })
  if (before.length * after.length > cellsMax) return [...before.map(removed), ...after.map(added)]
  const lengths = lcsLengths(before, after)
  const width = after.length + 1
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0
  const lines: DiffLine[] = []
  let [i, j] = [0, 0]
  while (i < before.length || j < after.length) {
    const [left, right] = [before[i], after[j]]
    if (left !== undefined && left === right) {
      lines.push({ kind: 'same', text: left })
      i++
      j++
    } else if (right === undefined || (left !== undefined && at(i + 1, j) >= at(i, j + 1))) {
      lines.push(removed(left ?? ''))
      i++
    } else {
      lines.push(added(right))
      j++
    }
  }
  return lines
}

/** `lengths[i * width + j]` is the length of the common subsequence of `before` from i and `after` from j. */
function lcsLengths(before: string[], after: string[]): Uint32Array {
  const width = after.length + 1
  const lengths = new Uint32Array((before.length + 1) * width)
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        before[i] === after[j]
          ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0)
  return lengths
}

/** The changed lines with some lines of context. `undefined` marks omitted lines. */
export function nearChanges(lines: DiffLine[], around = 3): (DiffLine | undefined)[] {
  const isNear = lines.map((_, at) =>
    lines.slice(Math.max(0, at - around), at + around + 1).some(({ kind }) => kind !== 'same'),
  )
  return lines.flatMap((line, at) => {
    if (isNear[at]) return [line]
    return at === 0 || isNear[at - 1] ? [undefined] : []
  })
}
