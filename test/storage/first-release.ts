/** The statements with which the first release made its database: see sqlite-schema.test.ts. */
export const FIRST_RELEASE = `
  CREATE TABLE turns (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    lane TEXT NOT NULL,
    person TEXT NOT NULL,
    workspace TEXT NOT NULL,
    stage TEXT NOT NULL,
    fence INTEGER NOT NULL,
    accepted_at INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX turns_open ON turns (lane, seq) WHERE stage NOT IN ('done', 'parked');
  CREATE INDEX turns_parked ON turns (person, seq) WHERE stage = 'parked';
  CREATE INDEX turns_done ON turns (accepted_at) WHERE stage = 'done';

  CREATE TABLE engagements (
    thread TEXT NOT NULL,
    user TEXT NOT NULL,
    used_at INTEGER NOT NULL,
    PRIMARY KEY (thread, user)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX engagements_used ON engagements (used_at);

  CREATE TABLE conversations (
    thread TEXT NOT NULL,
    holder TEXT NOT NULL,
    id TEXT NOT NULL,
    used_at INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (thread, holder)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX conversations_used ON conversations (used_at);

  CREATE TABLE links (
    team TEXT NOT NULL,
    user TEXT NOT NULL,
    purpose TEXT NOT NULL,
    workspace TEXT NOT NULL,
    version INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (team, user, purpose)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE once (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX once_expired ON once (expires_at);

  CREATE TABLE changes (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    subject TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX changes_subject ON changes (subject, seq);

  PRAGMA user_version = 1;
`;
