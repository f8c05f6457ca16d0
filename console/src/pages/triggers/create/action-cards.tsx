import { Radio, Text } from '@mantine/core'
import { Label } from '../../../components/status.tsx'
import type { CoreAction } from '../model/definition.ts'
import classes from './action-cards.module.css'

const scratch = 'from-scratch'
type ActionCardsProps = {
  actions: CoreAction[]
  chosen: string | undefined
  choose: (action: CoreAction | undefined) => void
}

/** Starting points as a radio group, so that arrow keys move between them. */
export function ActionCards({ actions, chosen, choose }: ActionCardsProps) {
  return (
    <Radio.Group
      label="Start from"
      value={chosen ?? scratch}
      onChange={(value) => choose(actions.find(({ type }) => type === value))}
    >
      <div className={classes.grid}>
        <Card value={scratch} title="From scratch" text="An empty definition." />
        {actions.map(({ type, title, description, kind }) => (
          <Card key={type} value={type} title={title} text={description} kind={kind} />
        ))}
      </div>
    </Radio.Group>
  )
}

function Card({ value, title, text, kind }: { value: string; title: string; text: string; kind?: string }) {
  return (
    <Radio.Card value={value} className={classes.card} aria-label={title}>
      <span className={classes.head}>
        <Text component="span" fw={600}>
          {title}
        </Text>
        {kind && <Label>{kind}</Label>}
      </span>
      <Text component="span" size="sm" c="dimmed">
        {text}
      </Text>
    </Radio.Card>
  )
}
