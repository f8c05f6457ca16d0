import { Button, List, Text } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import { describeError, issueSentence } from './describe-error.ts'
import { Notice } from './notice.tsx'

type ErrorNoticeProps = {
  error: unknown
  /** What failed, such as “The draft was not saved”. */
  title?: string
  /** Shows a button that tries again. */
  retry?: () => void
  /** Paths of issues that the form shows beside their fields. */
  shownElsewhere?: (path: string) => boolean
}

/** Shows an error. Issues that a form shows beside a field are not repeated here. */
export function ErrorNotice({ error, title, retry, shownElsewhere }: ErrorNoticeProps) {
  if (!error) return null
  const { issues, requestId, hint, ...found } = describeError(error)
  const rest = issues.filter(({ path }) => !shownElsewhere?.(path))
  const what = issues.length > 0 ? summary(rest) : found.title
  const text = title === undefined ? found.text : [what, found.text].filter(Boolean).join(' ')
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
      {hint && (
        <Text size="sm" mt={4}>
          {hint}
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
  if (!first) return 'Check the marked fields.'
  return rest.length === 1 ? issueSentence(first) : `${rest.length} fields have errors`
}
