import { Group, List, Text } from '@mantine/core'
import { LinkButton } from '../../../components/links.tsx'
import { useApiQuery } from '../../../data/queries.ts'
import { useWorkspace } from '../../../data/workspace.ts'
import type { GoalName } from '../../../layouts/watch/goal-texts.ts'
import { goalsOf } from '../model/goals/index.ts'
import type { Source } from '../model/source.ts'
import classes from './address.module.css'

const titles: Record<GoalName, string> = {
  wallet: 'Watch this wallet',
  contract: 'Watch this contract',
  price: 'Watch this price feed',
  balance: 'Watch its balance',
  staking: 'Watch its staking',
  governance: 'Watch its votes',
}
type GoalsForProps = { source: Source; address: string }

/** What can be watched at an address, as long as only its owner knows whether it is a wallet or a program. */
export function GoalsFor({ source, address }: GoalsForProps) {
  const goals = goalsOf(source.kind)?.atAddress ?? []
  if (goals.length === 0) return <StartingPoints source={source} />
  return (
    <section className={classes.hero} aria-label="What it is">
      <Text mb="md">What do you want to be told about this address?</Text>
      <GoalLinks source={source} address={address} goals={goals} />
    </section>
  )
}

/** What triggers can be made of on a chain without goals. */
function StartingPoints({ source }: { source: Source }) {
  const { fullname: workspace } = useWorkspace()
  const { data } = useApiQuery('listCoreActions', {})
  const actions = data?.actions.filter(({ kind }) => kind === source.kind) ?? []
  return (
    <section className={classes.hero} aria-label="What it is">
      <Text mb="md">Build a trigger for this address. Starting points on {source.title}:</Text>
      <List mb="md">
        {actions.map(({ type, title, description }) => (
          <List.Item key={type}>
            {title}: {description}
          </List.Item>
        ))}
      </List>
      <LinkButton to="/w/$workspace/triggers/new" params={{ workspace }}>
        New trigger
      </LinkButton>
    </section>
  )
}

/** Buttons to goals whose first question is answered already. */
export function GoalLinks({ source, address, goals }: GoalsForProps & { goals: readonly GoalName[] }) {
  const { fullname: workspace } = useWorkspace()
  return (
    <Group gap="xs">
      {goals.map((goal, at) => (
        <LinkButton
          key={goal}
          to="/w/$workspace/watch/$goal"
          params={{ workspace, goal }}
          search={{ source: source.fullname, subject: address }}
          variant={at === 0 ? 'filled' : 'default'}
        >
          {goalsOf(source.kind)?.titles?.[goal] ?? titles[goal]}
        </LinkButton>
      ))}
    </Group>
  )
}
