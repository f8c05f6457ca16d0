import { Group, Text } from '@mantine/core'
import { LinkButton } from '../../../components/link-button.tsx'
import { useWorkspace } from '../../../data/use-workspace.ts'
import type { GoalName } from '../../../layouts/watch/goal-texts.ts'
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
const goalsOf: Record<Source['kind'], GoalName[]> = {
  evm: ['wallet', 'balance', 'contract'],
  solana: ['wallet', 'balance', 'contract'],
  substrate: ['wallet', 'balance', 'staking', 'governance'],
}

type GoalsForProps = { source: Source; address: string }

/** What can be watched at an address that only its owner can tell apart: a wallet, or a program. */
export function GoalsFor({ source, address }: GoalsForProps) {
  return (
    <section className={classes.hero} aria-label="What it is">
      <Text mb="md">What do you want to be told about this address?</Text>
      <GoalLinks source={source} address={address} goals={goalsOf[source.kind]} />
    </section>
  )
}

/** Buttons to goals whose first question is answered already. */
export function GoalLinks({ source, address, goals }: GoalsForProps & { goals: GoalName[] }) {
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
          {goal === 'contract' && source.kind === 'solana' ? 'Watch this program' : titles[goal]}
        </LinkButton>
      ))}
    </Group>
  )
}
