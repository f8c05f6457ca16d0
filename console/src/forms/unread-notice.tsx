import { Button, Group, List } from '@mantine/core'
import { Notice } from '../components/notice.tsx'
import type { UnreadTexts } from './unread.ts'

type UnreadNoticeProps = { title: string; texts: UnreadTexts; discard: (path: string) => void }

/** Names the fields whose text stops a save, each with a way to give the text up. */
export function UnreadNotice({ title, texts, discard }: UnreadNoticeProps) {
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
                aria-label={`Discard the text in ${label}`}
                onClick={() => discard(path)}
              >
                Discard this text
              </Button>
            </Group>
          </List.Item>
        ))}
      </List>
    </Notice>
  )
}
