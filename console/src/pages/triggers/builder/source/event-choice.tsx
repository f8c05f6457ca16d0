import { Button, Group, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'

type Choice<Event> = { event: Event; name: string; text: string }
type EventChoiceProps<Event> = {
  events: Choice<Event>[]
  isChosen: (event: Event) => boolean
  choose: (event: Event) => void
  /** Fills in the other parts of the definition from the chosen event. */
  fill?: (event: Event) => void
}

const shownMax = 30

/** Chooses one of the events of an ABI or IDL. */
export function EventChoice<Event>({ events, isChosen, choose, fill }: EventChoiceProps<Event>) {
  const [filter, setFilter] = useState('')
  if (events.length === 0) return null
  const chosen = events.findIndex(({ event }) => isChosen(event))
  const shown = events
    .map((each, at) => ({ ...each, at }))
    .filter(({ text }) => text.toLowerCase().includes(filter.toLowerCase()))
  const current = events[chosen]
  return (
    <Stack gap="xs">
      {events.length > 8 && (
        <TextInput
          size="xs"
          aria-label="Filter events"
          placeholder={`Filter ${events.length} events`}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
      )}
      <Radio.Group
        label={events.length === 1 ? '1 event found' : `${events.length} events found`}
        value={String(chosen)}
        onChange={(at) => {
          const picked = events[Number(at)]
          if (picked) choose(picked.event)
        }}
      >
        <Stack gap={6} mt={6}>
          {shown.slice(0, shownMax).map(({ text, at }) => (
            <Radio key={at} value={String(at)} label={<span className="mono">{text}</span>} />
          ))}
        </Stack>
      </Radio.Group>
      {shown.length > shownMax && (
        <Text size="sm" c="dimmed">
          {shown.length - shownMax} more. Use the filter to find them.
        </Text>
      )}
      {current && fill && (
        <Group>
          <Button size="xs" variant="default" onClick={() => fill(current.event)}>
            Fill in from {current.name}
          </Button>
        </Group>
      )}
    </Stack>
  )
}
