import { Group, Text } from '@mantine/core'
import { CopyButton } from '../../components/copy-button.tsx'
import { type Attempt, curlOf } from './curl.ts'
import classes from './exchange.module.css'

/** What an attempt sent and what the receiver answered, without secrets. */
export function Exchange({ attempt: { request, response, status } }: { attempt: Attempt }) {
  if (!request && !response) return null
  return (
    <div className={classes.exchange}>
      {response && <Part title={status === undefined ? 'Response' : `Response ${status}`} part={response} />}
      {request && (
        <>
          <Part title={`Request ${request.method} ${request.url}`} part={request} />
          <Group>
            <CopyButton value={curlOf(request)} what="cURL command" isWide />
          </Group>
        </>
      )}
    </div>
  )
}

type Shown = NonNullable<Attempt['response']>

function Part({ title, part: { headers, body, isCut } }: { title: string; part: Shown }) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return (
    <section aria-label={title}>
      <Text size="sm" fw={600} className={classes.title}>
        {title}
      </Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard */}
      <pre className={classes.text} tabIndex={0}>
        {[...lines, '', body === '' ? '(no body)' : pretty(body)].join('\n')}
      </pre>
      {isCut && (
        <Text size="xs" c="dimmed">
          The body is longer. Only its beginning is kept.
        </Text>
      )}
    </section>
  )
}

/** JSON with line breaks. A text that was cut is no JSON and stays as it is. */
function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
