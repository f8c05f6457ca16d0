import { Accordion, List, Stack, Text } from '@mantine/core'
import { JsonView } from '../../../components/json-view.tsx'
import { MessageCard } from '../../../components/message-card.tsx'
import { Notice } from '../../../components/notice.tsx'
import { Status } from '../../../components/status.tsx'
import type { Body } from '../../../data/api.ts'
import { useApiList } from '../../../data/lists.ts'
import { AddressJson } from '../../../layouts/address/address-json.tsx'
import { AddressText } from '../../../layouts/address/address-text.tsx'
import { type AddressSource, useSources } from '../../../layouts/address/use-sources.ts'
import { ChannelPreview } from '../../../layouts/message/channels/channel-preview.tsx'

type Tested = Body<'testSubscription'>
type TestedTrigger = Tested['results'][number]

/** `project` is the project of the subscription. */
export function TestResult({ result: { issues, results, deliveries }, project }: { result: Tested; project: string }) {
  const sourceOf = useTriggerSource(project)
  return (
    <Stack gap="md" mt="md">
      {issues.length > 0 && (
        <Notice tone="warn" title="The test found problems">
          <List size="sm">
            {issues.map(({ path, message }) => (
              <List.Item key={`${path} ${message}`}>
                {path !== '' && <span className="mono">{path}</span>} {message}
              </List.Item>
            ))}
          </List>
        </Notice>
      )}
      {results.map((result, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: results have no id
        <Result key={at} result={result} source={sourceOf(result.trigger)} />
      ))}
      {deliveries.map(({ resource, ok, error }) => (
        <div key={resource}>
          <Status value={ok ? 'ok' : 'failed'} label={ok ? 'Test message sent' : 'Test message failed'} />{' '}
          <span className="mono">{resource}</span>
          {error && <Text size="sm">{error}</Text>}
        </div>
      ))}
    </Stack>
  )
}

/** True if one of the samples would create an alert. */
export function isMatch({ results }: Tested): boolean {
  return results.some(({ activated, conditionsMet }) => activated && conditionsMet)
}

function Result({ result, source }: { result: TestedTrigger; source: AddressSource | undefined }) {
  const { trigger, rule, activated, conditionsMet, message, previews, channels = [], raw, human } = result
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        <span className="mono">{trigger}</span>
        {rule !== undefined && ` · rule ${rule}`}
      </Text>
      {!activated && <Text size="sm">This sample does not match. The trigger would send no alert.</Text>}
      {activated && !conditionsMet && <Text size="sm">This sample does not match your filters.</Text>}
      {message && (
        <ChannelPreview
          channels={channels}
          inApp={<MessageCard message={message} showText={(text) => <AddressText text={text} source={source} />} />}
        />
      )}
      {message && (
        <Accordion multiple variant="contained" order={3}>
          {previews.map(({ resource, blueprint, body }) => (
            <Accordion.Item key={resource} value={resource}>
              <Accordion.Control>
                Message for {resource} ({blueprint.split('.').at(-1)})
              </Accordion.Control>
              <Accordion.Panel>
                <JsonView value={body} label={`message for ${resource}`} />
              </Accordion.Panel>
            </Accordion.Item>
          ))}
          <Accordion.Item value="output">
            <Accordion.Control>Output</Accordion.Control>
            <Accordion.Panel>
              <AddressJson value={{ raw, human }} label="output" source={source} />
            </Accordion.Panel>
          </Accordion.Item>
        </Accordion>
      )}
    </Stack>
  )
}

/** Finds the source of a trigger of the project, if the user can read both. */
function useTriggerSource(project: string): (trigger: string) => AddressSource | undefined {
  const { items } = useApiList('listTriggers', { query: { project } })
  const sources = useSources()
  return (trigger) => {
    const source = items.find(({ fullname }) => fullname === trigger)?.triggerSpec?.dataSource
    return typeof source === 'string' ? sources.find(source) : undefined
  }
}
