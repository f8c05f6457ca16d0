/** Text in a field that is not part of the value yet, because it cannot be read. It must not be dropped by a save. */
export type Unread = { label: string; text: string; problem: string }

/** Where a field keeps its unread text while it is not shown, and how it changes it. */
export type Kept = { unread: Unread | undefined; keep: (unread: Omit<Unread, 'label'> | undefined) => void }

/** Unread texts by the path of their field. */
export type UnreadTexts = Record<string, Unread>

export function withUnread(texts: UnreadTexts, path: string, unread: Unread | undefined): UnreadTexts {
  const { [path]: _, ...others } = texts
  return unread ? { ...others, [path]: unread } : others
}

/** The texts of a list's entries after the entry at `at` is removed. */
export function withoutEntry(texts: UnreadTexts, list: string, at: number): UnreadTexts {
  return movedEntries(texts, list, (index) => (index === at ? undefined : index > at ? index - 1 : index))
}

/** The texts of a list's entries after each entry moved to another index; undefined drops an entry's texts. */
export function movedEntries(
  texts: UnreadTexts,
  list: string,
  indexAfter: (index: number) => number | undefined,
): UnreadTexts {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([path, unread]) => {
      const [head, index, ...rest] = path.split('.')
      if (head !== list) return [[path, unread]]
      const next = indexAfter(Number(index))
      return next === undefined ? [] : [[[list, next, ...rest].join('.'), unread]]
    }),
  )
}
