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
import { type GoalName, goalTexts } from './goal-texts.ts'

const cards: { name: GoalName; icon: Icon }[] = [
  { name: 'wallet', icon: IconWallet },
  { name: 'contract', icon: IconCode },
  { name: 'price', icon: IconChart },
  { name: 'balance', icon: IconBalance },
  { name: 'staking', icon: IconCoins },
  { name: 'governance', icon: IconVote },
]

/** The goals as links. */
export function GoalCards({ workspace }: { workspace: string }) {
  return (
    <ul className={classes.cards}>
      {cards.map(({ name, icon: Icon }) => {
        const { title, about } = goalTexts[name]
        return (
          <li key={name}>
            <Link to="/w/$workspace/watch/$goal" params={{ workspace, goal: name }} className={classes.card}>
              <span className={classes.icon}>
                <Icon size={18} />
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
