import { List, Text } from '@mantine/core'
import { Status } from '../../../../components/status.tsx'
import { AddressText } from '../../../../layouts/address/address-text.tsx'
import type { AddressSource } from '../../../../layouts/address/use-sources.ts'
import { type ConditionPart, describeValue, describeWanted, isNegated } from './condition-words.ts'

type ConditionPartsProps = { parts: ConditionPart[] | undefined; source: AddressSource | undefined }

/** Which parts of the conditions held, and the values that they saw. */
export function ConditionParts({ parts, source }: ConditionPartsProps) {
  if (!parts || parts.length === 0) return null
  return (
    <div>
      <Text size="sm" c="dimmed">
        Conditions
      </Text>
      <List size="sm" spacing={4} listStyleType="none" aria-label="Conditions" styles={wrapped}>
        {parts.map((part) => (
          <List.Item key={part.path}>
            <Held part={part} /> <code>{part.param}</code>{' '}
            <AddressText text={`${describeWanted(part)}. ${describeValue(part)}`} source={source} />
          </List.Item>
        ))}
      </List>
    </div>
  )
}

/** Addresses and numbers of 256 bits are long words. */
const wrapped = { root: { overflowWrap: 'anywhere' } } as const

function Held({ part: { held, path, issue } }: { part: ConditionPart }) {
  if (held === null) return <Status value="pending" label="Not checked:" />
  const tone = issue ? 'warn' : held === isNegated(path) ? 'quiet' : 'good'
  return <Status value="held" tone={tone} label={held ? 'Held:' : 'Did not hold:'} />
}
