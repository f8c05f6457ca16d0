import { List, Text } from '@mantine/core'
import { Status } from '../../../../components/status.tsx'
import { type ConditionPart, describeValue, describeWanted, isNegated } from './condition-words.ts'

/** Which parts of the conditions held, and the values that they saw. */
export function ConditionParts({ parts }: { parts: ConditionPart[] | undefined }) {
  if (!parts || parts.length === 0) return null
  return (
    <div>
      <Text size="sm" c="dimmed">
        Conditions
      </Text>
      <List size="sm" spacing={4} listStyleType="none" aria-label="Conditions" styles={wrapped}>
        {parts.map((part) => (
          <List.Item key={part.path}>
            <Held part={part} /> <code>{part.param}</code> {describeWanted(part)}. {describeValue(part)}
          </List.Item>
        ))}
      </List>
    </div>
  )
}

/** Addresses and numbers of 256 bits are long words. */
const wrapped = { root: { overflowWrap: 'anywhere' } } as const

function Held({ part: { held, path } }: { part: ConditionPart }) {
  if (held === null) return <Status value="pending" label="Not checked:" />
  const tone = held === isNegated(path) ? 'quiet' : 'good'
  return <Status value="held" tone={tone} label={held ? 'Held:' : 'Did not hold:'} />
}
