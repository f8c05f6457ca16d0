import { Button, Group, List } from '@mantine/core'
import { Notice } from '../components/notice.tsx'

/** Text in a field that cannot be parsed, so it is not part of the value. A save must not drop it silently. */
export type InvalidText = { label: string; text: string; problem: string }

/** Stores the invalid text of one field, also while the field is not shown. */
export type InvalidTextSlot = {
  current: InvalidText | undefined
  set: (text: Omit<InvalidText, 'label'> | undefined) => void
}

/** Invalid texts by the path of their field. */
export type InvalidTexts = Record<string, InvalidText>

export function withInvalidText(texts: InvalidTexts, path: string, text: InvalidText | undefined): InvalidTexts {
  const { [path]: _, ...others } = texts
  return text ? { ...others, [path]: text } : others
}

/** Removes the texts of the list entry `at` and moves the later entries down by one. */
export function withoutEntry(texts: InvalidTexts, list: string, at: number): InvalidTexts {
  return movedEntries(texts, list, (index) => (index === at ? undefined : index > at ? index - 1 : index))
}

/** Moves the texts of list entries to their new index; undefined drops the texts of an entry. */
export function movedEntries(
  texts: InvalidTexts,
  list: string,
  indexAfter: (index: number) => number | undefined,
): InvalidTexts {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([path, text]) => {
      const [head, index, ...rest] = path.split('.')
      if (head !== list) return [[path, text]]
      const next = indexAfter(Number(index))
      return next === undefined ? [] : [[[list, next, ...rest].join('.'), text]]
    }),
  )
}

type InvalidTextNoticeProps = { title: string; texts: InvalidTexts; discard: (path: string) => void }

/** Lists the fields whose invalid text stops a save, each with a button that discards the text. */
export function InvalidTextNotice({ title, texts, discard }: InvalidTextNoticeProps) {
  const entries = Object.entries(texts)
  if (entries.length === 0) return null
  return (
    <Notice tone="bad" title={title}>
      <List size="sm" mt={4} spacing={4}>
        {entries.map(([path, { label, problem }]) => (
          <List.Item key={path}>
            <Group gap="xs">
              <span>
                <strong>{label}</strong>: {problem}
              </span>
              <Button
                size="compact-xs"
                variant="default"
                aria-label={`Discard text in ${label}`}
                onClick={() => discard(path)}
              >
                Discard text
              </Button>
            </Group>
          </List.Item>
        ))}
      </List>
    </Notice>
  )
}
