import { Accordion, Text } from '@mantine/core'
import { Section } from '../../components/page.tsx'
import { AddressJson } from '../../layouts/address/address-json.tsx'
import type { AddressSource } from '../../layouts/address/use-sources.ts'
import type { TracedAlert } from '../../layouts/alert/alert-status.ts'

/** The steps from the source item to the output, in order. */
export function Trace({ alert, source }: { alert: TracedAlert; source: AddressSource | undefined }) {
  const { item, inputs, providers, activated, output } = alert
  const steps: { name: string; brief: string; value: unknown }[] = [
    { name: 'Item', brief: 'From the source', value: item },
    { name: 'Inputs', brief: countOf(inputs, 'value', 'No inputs'), value: inputs },
    { name: 'Providers', brief: countOf(providers, 'result', 'No providers'), value: providers },
    { name: 'Condition', brief: activated ? 'Passed' : 'Not passed', value: activated },
    { name: 'Raw output', brief: 'Used by filters', value: output.raw },
    { name: 'Display values', brief: 'Used by the message', value: output.human },
  ]
  return (
    <Section title="Trace" about="From the source item to the message.">
      <Accordion multiple variant="contained" order={3}>
        {steps.map(({ name, brief, value }) => (
          // The value is part of an id, and `aria-labelledby` splits ids at spaces.
          <Accordion.Item key={name} value={name.replaceAll(' ', '-')}>
            <Accordion.Control>
              <Text component="span" fw={550}>
                {name}
              </Text>{' '}
              <Text component="span" size="sm" c="dimmed">
                {brief}
              </Text>
            </Accordion.Control>
            <Accordion.Panel>
              <AddressJson value={value} label={name.toLowerCase()} source={source} />
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
