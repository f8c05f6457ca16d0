import { atLeast, equals, ofEmitter, sentOrReceived } from '../conditions.ts'
import { type Answers, type Choice, directionTexts, leastText, type Part } from '../goal.ts'
import { coinDecimals, coinName } from '../units.ts'
import { coinBalance, tokenBalance } from './balances.ts'

const coinPart = (answers: Answers): Part => ({
  action: 'native_transfer',
  what: 'coin transfers',
  conditions: [
    sentOrReceived(answers, 'source.from', 'source.to'),
    ...atLeast(answers, 'source.value', coinDecimals(answers.source)),
  ],
})

const tokenPart = (answers: Answers): Part => ({
  action: 'erc20_transfer',
  what: 'token transfers',
  ...(answers.token !== '' && { spec: { contract: answers.token } }),
  conditions: [
    sentOrReceived(answers, 'source.params.from', 'source.params.to'),
    ...atLeast(answers, 'source.params.value', ofEmitter),
  ],
})

const all: Choice = {
  value: 'all',
  label: 'Coins and tokens',
  about: 'Every transfer of the native coin and of any token.',
  fields: ['direction'],
  says: ({ direction }, wallet) => `${wallet} ${directionTexts[direction]} coins or tokens`,
  parts: (answers) => [coinPart(answers), tokenPart(answers)],
}

const coin: Choice = {
  value: 'coin',
  label: 'Coins only',
  about: 'Transfers of the native coin, such as ether.',
  fields: ['direction', 'least'],
  unit: 'coin',
  says: (answers, wallet) =>
    `${wallet} ${directionTexts[answers.direction]} ${coinName(answers.source)}${leastText(answers, coinName(answers.source))}`,
  parts: (answers) => [coinPart(answers)],
}

const tokens: Choice = {
  value: 'tokens',
  label: 'Tokens',
  about: 'Transfers of one token or of any token.',
  fields: ['direction', 'tokenOptional', 'least'],
  unit: 'token',
  says: (answers, wallet) => `${wallet} ${directionTexts[answers.direction]} tokens${leastText(answers, 'tokens')}`,
  parts: (answers) => [tokenPart(answers)],
}

const nfts: Choice = {
  value: 'nfts',
  label: 'NFTs',
  about: 'Transfers of collectibles (ERC-721).',
  fields: ['direction'],
  says: ({ direction }, wallet) => `${wallet} ${directionTexts[direction]} an NFT`,
  parts: (answers) => [
    {
      action: 'erc721_transfer',
      what: 'NFT transfers',
      conditions: [sentOrReceived(answers, 'source.params.from', 'source.params.to')],
    },
  ],
}

const approvals: Choice = {
  value: 'approvals',
  label: 'Approvals',
  about: 'The wallet lets somebody spend its tokens. Often the first step of a theft.',
  fields: [],
  says: (_, wallet) => `${wallet} lets somebody spend its tokens`,
  parts: ({ subject }) => [
    { action: 'erc20_approval', what: 'approvals', conditions: equals('source.params.owner', subject) },
  ],
}

export const walletChoices = [all, coin, tokens, nfts, approvals]

const coinBound: Choice = {
  ...coinBalance,
  about: 'How much of the native coin, such as ether, the account has.',
  parts: ({ subject, side, bound }) => [
    {
      action: 'native_balance',
      what: 'balance',
      inputs: { account: subject },
      policy: { type: 'threshold', value: 'balance', [side]: bound },
    },
  ],
}

const tokenBound: Choice = {
  ...tokenBalance,
  about: 'How many tokens the account has, in whole tokens.',
  parts: ({ subject, token, side, bound }) => [
    {
      action: 'token_balance',
      what: 'token balance',
      inputs: { account: subject, token },
      policy: { type: 'threshold', value: 'balance', [side]: bound },
    },
  ],
}

export const balanceChoices = [coinBound, tokenBound]
