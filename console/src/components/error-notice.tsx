import { Button, List, Text } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import { issueSentence, tell } from './error-sentence.ts'
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

/** A failure in words, each problem once: what a form shows beside a field is not told here again. */
export function ErrorNotice({ error, title, retry, shownElsewhere }: ErrorNoticeProps) {
  if (!error) return null
  const { issues, requestId, wayOut, ...told } = tell(error)
  const rest = issues.filter(({ path }) => !shownElsewhere?.(path))
  const what = issues.length > 0 ? summary(rest) : told.title
  const text = title === undefined ? told.text : [what, told.text].filter(Boolean).join(' ')
  return (
    <Notice tone="bad" title={title ?? what}>
      {text && <Text size="sm">{text}</Text>}
      {rest.length > 1 && (
        <List size="sm" mt={4}>
          {rest.map((issue) => (
            <List.Item key={`${issue.path} ${issue.message}`}>{issueSentence(issue)}</List.Item>
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

function summary(rest: Issue[]): string {
  const [first] = rest
  if (!first) return 'Check the marked fields'
  return rest.length === 1 ? issueSentence(first) : `${rest.length} fields need a change`
}
