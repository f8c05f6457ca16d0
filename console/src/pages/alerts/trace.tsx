import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { IconSource } from '../../components/icons.tsx'
import { Section } from '../../components/page.tsx'
import { Pipeline, type Stage } from '../../components/patterns/pipeline.tsx'
import { useApiQuery } from '../../data/queries.ts'
import { AddressJson } from '../../layouts/address/address-json.tsx'
import { AddressText } from '../../layouts/address/address-text.tsx'
import type { AddressSource, Source } from '../../layouts/address/use-sources.ts'
import type { TracedAlert } from '../../layouts/alert/alert-status.ts'
import { useTitles } from '../../layouts/alert/use-titles.ts'
import { alertStages } from '../../layouts/pipeline/alert-stages.tsx'
import { useNames } from '../../layouts/sentence/use-names.ts'
import { sourceWords } from '../../sentences/when-words.ts'
import classes from './trace.module.css'

type TraceProps = { workspace: string; alert: TracedAlert; source: Source | undefined }
type Value = { name: string; value: unknown }

/** The stages from the source item to the destinations, lit by this alert. A click on a stage shows its data. */
export function Trace({ workspace, alert, source }: TraceProps) {
  const titles = useTitles(workspace)
  const names = useNames(workspace)
  const { data: trigger } = useApiQuery('getTrigger', { fullname: alert.trigger })
  const [open, setOpen] = useState<string>()
  const words = trigger ? sourceWords(trigger, names) : titles.trigger(alert.trigger)
  const stages = [
    sourceStage(alert, source, <AddressText text={words} source={source} isPlain />),
    ...alertStages(alert, trigger, source, titles.destination),
  ]
  return (
    <Section title="Trace" about="From the source item to the destinations. Open a stage to see its data.">
      <Pipeline
        stages={stages.map((stage) => ({
          ...stage,
          isOpen: stage.name === open,
          open: () => setOpen((before) => (before === stage.name ? undefined : stage.name)),
        }))}
      />
      {open && <StageValues stage={open} values={valuesOf(open, alert)} source={source} />}
    </Section>
  )
}

function sourceStage(
  { source: fullname, block }: TracedAlert,
  source: Source | undefined,
  value: Stage['value'],
): Stage {
  const network = source?.title ?? fullname
  return {
    name: 'Source',
    icon: IconSource,
    state: 'passed',
    value,
    about: [network, block && `block ${block.number.toLocaleString('en')}`].filter(Boolean).join(', ') || undefined,
  }
}

/** The data of a stage. */
function valuesOf(stage: string, { item, inputs, providers, activated, output, message, destinations }: TracedAlert) {
  const values: Record<string, Value[]> = {
    Source: [
      { name: 'Item', value: item },
      { name: 'Inputs', value: inputs },
    ],
    Condition: [{ name: 'Result', value: activated }],
    Data: [
      { name: 'Providers', value: providers },
      { name: 'Raw output', value: output.raw },
      { name: 'Display values', value: output.human },
    ],
    Message: [{ name: 'Message', value: message }],
    Destinations: [{ name: 'Destinations', value: destinations }],
  }
  return values[stage] ?? []
}

const emptyTexts: Record<string, string> = { Inputs: 'No inputs', Providers: 'No providers' }

type StageValuesProps = { stage: string; values: Value[]; source: AddressSource | undefined }

function StageValues({ stage, values, source }: StageValuesProps) {
  return (
    <section className={classes.values} aria-label={`Data of ${stage}`}>
      <Stack gap="md">
        {values.map(({ name, value }) => (
          <section key={name} aria-label={name}>
            <Text size="sm" c="dimmed" mb={4}>
              {name}
            </Text>
            {isEmpty(value) ? (
              <Text size="sm">{emptyTexts[name] ?? 'None'}</Text>
            ) : (
              <AddressJson value={value} label={name.toLowerCase()} source={source} />
            )}
          </section>
        ))}
      </Stack>
    </section>
  )
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true
  return typeof value === 'object' && Object.keys(value).length === 0
}
