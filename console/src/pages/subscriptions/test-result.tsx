import { Accordion, List, Stack, Text } from '@mantine/core'
import type { Body } from '../../data/api.ts'
import { JsonView } from '../../parts/json-view.tsx'
import { MessageCard } from '../../parts/message-card.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Status } from '../../parts/status.tsx'

type Tested = Body<'testSubscription'>
type Told = Tested['results'][number]

export function TestResult({ result: { issues, results, deliveries } }: { result: Tested }) {
  return (
    <Stack gap="md" mt="md">
      {issues.length > 0 && (
        <Notice tone="warn" title="Not everything could be tried">
          <List size="sm">
            {issues.map(({ path, message }) => (
              <List.Item key={`${path} ${message}`}>
                {path !== '' && <span className="mono">{path}</span>} {message}
              </List.Item>
            ))}
          </List>
        </Notice>
      )}
      {results.map((told, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a result is its place in the answer
        <Result key={at} told={told} />
      ))}
      {deliveries.map(({ resource, ok, error }) => (
        <div key={resource}>
          <Status value={ok ? 'ok' : 'failed'} label={ok ? 'sent' : 'not sent'} />{' '}
          <span className="mono">{resource}</span>
          {error && <Text size="sm">{error}</Text>}
        </div>
      ))}
    </Stack>
  )
}

function Result({ told }: { told: Told }) {
  const { trigger, rule, activated, conditionsMet, message, previews, raw, human } = told
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        <span className="mono">{trigger}</span>
        {rule !== undefined && ` · rule ${rule}`}
      </Text>
      {!activated && <Text size="sm">The trigger stays silent on this sample, so nothing would be sent.</Text>}
      {activated && !conditionsMet && <Text size="sm">Your filters would keep this sample from being sent.</Text>}
      {message && <MessageCard message={message} />}
      {activated && (
        <Accordion multiple variant="contained" order={3}>
          {previews.map(({ resource, blueprint, body }) => (
            <Accordion.Item key={resource} value={resource}>
              <Accordion.Control>
                As {resource} gets it ({blueprint.split('.').at(-1)})
              </Accordion.Control>
              <Accordion.Panel>
                <JsonView value={body} label={`what ${resource} gets`} />
              </Accordion.Panel>
            </Accordion.Item>
          ))}
          <Accordion.Item value="output">
            <Accordion.Control>Output it was written from</Accordion.Control>
            <Accordion.Panel>
              <JsonView value={{ raw, human }} label="output" />
            </Accordion.Panel>
          </Accordion.Item>
        </Accordion>
      )}
    </Stack>
  )
}
