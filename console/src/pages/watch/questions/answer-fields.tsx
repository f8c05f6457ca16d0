import { Group, SegmentedControl, Select, Text } from '@mantine/core'
import type { Issues } from '../model/check.ts'
import type { AnswerField, Answers, Choice } from '../model/goal.ts'
import { goalsOf } from '../model/goals/index.ts'
import { coinName } from '../model/units.ts'
import { Amount } from './amount.tsx'
import { SubjectField } from './subject-field.tsx'

type AnswerFieldsProps = {
  choice: Choice
  answers: Answers
  onChange: (part: Partial<Answers>) => void
  issues: Issues
}

/** The bounds and filters of a choice, in human units. */
export function AnswerFields({ choice, ...rest }: AnswerFieldsProps) {
  return choice.fields.map((field) => <Answer key={field} field={field} choice={choice} {...rest} />)
}

function Answer({ field, choice, answers, onChange, issues }: AnswerFieldsProps & { field: AnswerField }) {
  switch (field) {
    case 'direction':
      return <Direction value={answers.direction} onChange={(direction) => onChange({ direction })} />
    case 'token':
    case 'tokenOptional': {
      const isOptional = field === 'tokenOptional'
      const token = goalsOf(answers.source.kind)?.token ?? { label: 'Token', example: '' }
      return (
        <SubjectField
          subject={{ ...token, ...(isOptional && { isOptional, description: 'Leave it empty for any token.' }) }}
          source={answers.source}
          value={answers.token}
          onChange={(token) => onChange({ token })}
          error={issues.token}
        />
      )
    }
    case 'least':
      return (
        <Amount
          label="Smallest amount"
          description={`In ${unitText(choice, answers)}. Leave it empty for any amount.`}
          value={answers.least}
          onChange={(least) => onChange({ least })}
          error={issues.least}
        />
      )
    case 'bound':
      return <Bound choice={choice} answers={answers} onChange={onChange} issues={issues} />
    case 'percent':
      return (
        <Amount
          label="Change in percent"
          value={answers.percent}
          onChange={(percent) => onChange({ percent })}
          error={issues.percent}
        />
      )
    case 'count':
      return (
        <Amount
          label="Number of failed calls"
          value={answers.count}
          onChange={(count) => onChange({ count })}
          error={issues.count}
        />
      )
    case 'within':
      return <Period value={answers.within} onChange={(within) => onChange({ within })} />
  }
}

function unitText({ unit }: Choice, { source }: Answers): string {
  return unit === 'token' ? 'whole tokens' : coinName(source)
}

const directions = [
  { value: 'both' as const, label: 'In and out' },
  { value: 'in' as const, label: 'In' },
  { value: 'out' as const, label: 'Out' },
]

type DirectionProps = { value: Answers['direction']; onChange: (value: Answers['direction']) => void }

function Direction({ value, onChange }: DirectionProps) {
  return (
    <div>
      <Text size="sm" fw={500} mb={4} id="watch-direction">
        Direction
      </Text>
      <SegmentedControl aria-labelledby="watch-direction" data={directions} value={value} onChange={onChange} />
    </div>
  )
}

function Bound({ choice, answers, onChange, issues }: AnswerFieldsProps) {
  return (
    <Group align="flex-start" gap="sm">
      <Select
        size="md"
        w={130}
        label="Alert when it is"
        data={[
          { value: 'below', label: 'below' },
          { value: 'above', label: 'above' },
        ]}
        value={answers.side}
        onChange={(next) => onChange({ side: next === 'above' ? 'above' : 'below' })}
        allowDeselect={false}
      />
      <Amount
        label={choice.unit === 'none' ? 'Price' : `Amount in ${unitText(choice, answers)}`}
        value={answers.bound}
        onChange={(next) => onChange({ bound: next })}
        error={issues.bound}
      />
    </Group>
  )
}

const periods = [
  { value: '5m', label: '5 minutes' },
  { value: '15m', label: '15 minutes' },
  { value: '1h', label: '1 hour' },
  { value: '6h', label: '6 hours' },
  { value: '1d', label: '1 day' },
  { value: '2d', label: '2 days' },
  { value: '7d', label: '7 days' },
]

function Period({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <Select
      size="md"
      maw={280}
      label="Within"
      data={periods}
      value={value}
      onChange={(next) => next && onChange(next)}
      allowDeselect={false}
    />
  )
}
