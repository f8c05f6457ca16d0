import { Button, Group, List } from '@mantine/core'
import { Notice } from '../components/notice.tsx'
import type { InvalidTexts } from './invalid-text.ts'

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
