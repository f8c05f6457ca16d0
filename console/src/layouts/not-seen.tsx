import { List, Text } from '@mantine/core'

/** What a core action cannot see, so that nobody relies on alerts that cannot come. */
export function NotSeen({ sentences }: { sentences: readonly string[] }) {
  if (sentences.length === 0) return null
  return (
    <div>
      <Text size="sm" fw={600}>
        What it cannot see
      </Text>
      <List size="sm" c="dimmed">
        {sentences.map((sentence) => (
          <List.Item key={sentence}>{sentence}</List.Item>
        ))}
      </List>
    </div>
  )
}
