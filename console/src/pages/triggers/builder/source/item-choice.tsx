import { Button, Group, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'

type Choice<Item> = { item: Item; name: string; text: string }
type ItemChoiceProps<Item> = {
  /** What the items are: events, functions or instructions. */
  noun: string
  items: Choice<Item>[]
  isChosen: (item: Item) => boolean
  choose: (item: Item) => void
  /** Fills in the other parts of the definition from the chosen item. */
  fill?: (item: Item) => void
}

const shownMax = 30

/** Chooses one of the events, functions or instructions of an ABI or IDL. */
export function ItemChoice<Item>({ noun, items, isChosen, choose, fill }: ItemChoiceProps<Item>) {
  const [filter, setFilter] = useState('')
  if (items.length === 0) return null
  const chosen = items.findIndex(({ item }) => isChosen(item))
  const shown = items
    .map((each, at) => ({ ...each, at }))
    .filter(({ text }) => text.toLowerCase().includes(filter.toLowerCase()))
  const current = items[chosen]
  return (
    <Stack gap="xs">
      {items.length > 8 && (
        <TextInput
          size="xs"
          aria-label={`Filter ${noun}s`}
          placeholder={`Filter ${items.length} ${noun}s`}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
      )}
      <Radio.Group
        label={items.length === 1 ? `1 ${noun} found` : `${items.length} ${noun}s found`}
        value={String(chosen)}
        onChange={(at) => {
          const picked = items[Number(at)]
          if (picked) choose(picked.item)
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
          <Button size="xs" variant="default" onClick={() => fill(current.item)}>
            Fill in from {current.name}
          </Button>
        </Group>
      )}
    </Stack>
  )
}
