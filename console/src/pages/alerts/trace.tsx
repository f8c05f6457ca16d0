import { Accordion, Text } from '@mantine/core'
import { JsonView } from '../../parts/json-view.tsx'
import { Section } from '../../parts/page.tsx'
import type { TracedAlert } from './alert.tsx'

/** How the alert came about, step by step in the order in which it happened. */
export function Trace({ alert }: { alert: TracedAlert }) {
  const { item, inputs, providers, activated, output } = alert
  const steps: { name: string; brief: string; value: unknown }[] = [
    { name: 'Item', brief: 'what the source saw', value: item },
    { name: 'Inputs', brief: countOf(inputs, 'value', 'none were given'), value: inputs },
    { name: 'Providers', brief: countOf(providers, 'result', 'none were asked'), value: providers },
    { name: 'Activation', brief: activated ? 'it said yes' : 'it said no', value: activated },
    { name: 'Raw output', brief: 'what conditions look at', value: output.raw },
    { name: 'Human output', brief: 'what the message is written from', value: output.human },
  ]
  return (
    <Section title="Trace" about="How it came about, from the item that was seen to the words that were sent.">
      <Accordion multiple variant="contained" order={3}>
        {steps.map(({ name, brief, value }) => (
          <Accordion.Item key={name} value={name}>
            <Accordion.Control>
              <Text component="span" fw={550}>
                {name}
              </Text>{' '}
              <Text component="span" size="sm" c="dimmed">
                {brief}
              </Text>
            </Accordion.Control>
            <Accordion.Panel>
              <JsonView value={value} label={name.toLowerCase()} />
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </Section>
  )
}

function countOf(fields: Record<string, unknown>, what: string, none: string): string {
  const count = Object.keys(fields).length
  if (count === 0) return none
  return count === 1 ? `1 ${what}` : `${count} ${what}s`
}
