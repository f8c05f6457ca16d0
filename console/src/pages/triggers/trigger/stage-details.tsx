import { Stack, Text } from '@mantine/core'
import { MessageCard } from '../../../components/message-card.tsx'
import { isObject } from '../../../forms/json.ts'
import { AddressJson } from '../../../layouts/address/address-json.tsx'
import { AddressText } from '../../../layouts/address/address-text.tsx'
import { conditionWords } from '../../../sentences/condition-words.ts'
import { Subscribers } from '../subscribers/subscribers.tsx'
import type { StageFacts } from './trigger-stages.tsx'

/** What one stage got and gave, below the pipeline. */
export function StageDetails({ stage, facts }: { stage: string; facts: StageFacts }) {
  switch (stage) {
    case 'Source':
      return <Value label="Item" value={facts.run ? facts.run.input : facts.alert?.item} facts={facts} />
    case 'Condition':
      return <Condition facts={facts} />
    case 'Data':
      return <Data facts={facts} />
    case 'Message':
      return <Message facts={facts} />
    default:
      return <Subscribers trigger={facts.trigger} active={facts.subscriptions} />
  }
}

type ValueProps = { label: string; value: unknown; facts: StageFacts }

function Value({ label, value, facts: { source, run } }: ValueProps) {
  if (value === undefined || value === null)
    return <Text c="dimmed">{run ? `${label}: none in this run.` : 'Nothing to show yet.'}</Text>
  return (
    <div>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <AddressJson value={value} label={label} maxHeight={320} source={source} />
    </div>
  )
}

function Condition({ facts }: { facts: StageFacts }) {
  const { conditions, activation } = facts.trigger
  const words = isObject(conditions) ? conditionWords(conditions) : undefined
  return (
    <Stack gap="sm">
      <Text>
        {words === undefined ? (
          'No conditions.'
        ) : (
          <>
            Fires if <AddressText text={words} source={facts.source} />.
          </>
        )}
      </Text>
      {isObject(activation) && <Value label="Script" value={activation.source} facts={facts} />}
      {facts.run?.debug.conditions && <Value label="Parts" value={facts.run.debug.conditions} facts={facts} />}
    </Stack>
  )
}

function Data({ facts }: { facts: StageFacts }) {
  const { run, alert } = facts
  return (
    <Stack gap="sm">
      <Value label="Providers" value={run ? run.debug.providers : alert?.providers} facts={facts} />
      <Value label="Output" value={run ? run.output : alert?.output} facts={facts} />
    </Stack>
  )
}

/** A run on this page renders no message, so it shows the templates. */
function Message({ facts: { alert, run, trigger, source } }: { facts: StageFacts }) {
  if (!alert || run)
    return <AddressJson value={trigger.defaults ?? {}} label="templates" maxHeight={320} source={source} />
  return <MessageCard message={alert.message} showText={(text) => <AddressText text={text} source={source} />} />
}
