import { Link } from '@tanstack/react-router'
import {
  type Icon,
  IconBalance,
  IconChart,
  IconCode,
  IconCoins,
  IconVote,
  IconWallet,
} from '../../components/icons.tsx'
import classes from './goal-cards.module.css'
import type { GoalName } from './model/goal.ts'
import { goals } from './model/goals/index.ts'

const icons: Record<GoalName, Icon> = {
  wallet: IconWallet,
  contract: IconCode,
  price: IconChart,
  balance: IconBalance,
  staking: IconCoins,
  governance: IconVote,
}

/** The goals as links. */
export function GoalCards({ workspace }: { workspace: string }) {
  return (
    <ul className={classes.cards}>
      {goals.map(({ name, title, about }) => {
        const Icon = icons[name]
        return (
          <li key={name}>
            <Link to="/w/$workspace/watch/$goal" params={{ workspace, goal: name }} className={classes.card}>
              <span className={classes.icon}>
                <Icon size={22} />
              </span>
              <span>
                <span className={classes.title}>{title}</span>
                <span className={classes.about}>{about}</span>
              </span>
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
