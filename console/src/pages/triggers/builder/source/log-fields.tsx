import { NumberInput, Stack, TextInput } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import { Details } from '../../../../components/details.tsx'
import { issueAt } from '../../../../components/issue-list.tsx'
import { textOf } from '../../model/definition.ts'
import type { Builder } from '../state/builder-state.ts'

const counts = [
  [
    'topicsCount',
    'Number of topics',
    'Only logs with so many topics match. An ERC-20 Transfer has 3, an ERC-721 Transfer 4.',
  ],
  ['dataBytes', 'Bytes of data', 'Only logs with so many bytes of data match.'],
] as const

/** What else selects the logs of a trigger. The choice of an event sets these fields. */
export function LogFields({ builder: { state, dispatch }, issues }: { builder: Builder; issues: Issue[] }) {
  const spec = state.definition.triggerSpec ?? {}
  return (
    <Details summary="Signature, topics and data">
      <Stack gap="sm">
        <TextInput
          label="Event"
          description="A name of the ABI, or a signature such as Transfer(address indexed from, address indexed to, uint256 value), which needs no ABI."
          value={textOf(spec.event)}
          onChange={(event) =>
            dispatch({ type: 'changeSpec', part: { event: event.currentTarget.value || undefined } })
          }
          spellCheck={false}
        />
        {counts.map(([field, label, description]) => (
          <NumberInput
            key={field}
            label={label}
            description={description}
            min={0}
            allowDecimal={false}
            value={typeof spec[field] === 'number' ? spec[field] : ''}
            onChange={(value) =>
              dispatch({ type: 'changeSpec', part: { [field]: typeof value === 'number' ? value : undefined } })
            }
            error={issueAt(issues, `triggerSpec.${field}`)}
          />
        ))}
      </Stack>
    </Details>
  )
}
