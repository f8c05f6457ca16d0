import { Button, List, Text } from '@mantine/core'
import { tell } from './error-sentence.ts'
import { Notice } from './notice.tsx'

type ErrorNoticeProps = {
  error: unknown
  /** What failed, such as “The draft was not saved”. */
  title?: string
  /** Offers to try again. */
  retry?: () => void
  /** Paths of issues that the form shows beside their fields. */
  shownElsewhere?: (path: string) => boolean
}

export function ErrorNotice({ error, title, retry, shownElsewhere }: ErrorNoticeProps) {
  if (!error) return null
  const { title: told, text, wayOut, issues, requestId } = tell(error)
  const rest = issues.filter(({ path }) => !shownElsewhere?.(path))
  return (
    <Notice tone="bad" title={title ?? told}>
      <Text size="sm">{text}</Text>
      {rest.length > 0 && (
        <List size="sm" mt={4}>
          {rest.map(({ path, message }) => (
            <List.Item key={`${path} ${message}`}>
              {path !== '' && <code>{path}</code>} {message}
            </List.Item>
          ))}
        </List>
      )}
      {wayOut && (
        <Text size="sm" mt={4}>
          {wayOut}
        </Text>
      )}
      {requestId && (
        <Text size="xs" mt={4} className="mono">
          Request {requestId}
        </Text>
      )}
      {retry && (
        <Button size="xs" variant="default" mt="sm" onClick={retry}>
          Try again
        </Button>
      )}
    </Notice>
  )
}
