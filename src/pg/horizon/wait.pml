/* luuid_wait() as README has it: a waiter of a database, inserters of it that commit, abort or are prepared, one of
 * another database, and a clock. A commit of the other database, and a session that resolves a prepared transaction,
 * wake no waiter.
 *
 * A waiter that sleeps until it is woken goes on here when all others have ended and its consumer has read all rows. If
 * it has not, it sleeps for ever, which Spin reports as an invalid end state. Compiled with one of the TWIN_ names, a
 * step is left out or two are swapped; then there must be one. */

#define P 3 /* the slot of prepared transactions; the others are backends', of which 2 is the other database's */

byte clock = 2, latest = 1;
byte first[4];
bool is_visible[3], is_unread[3]; /* by slot */
byte id[3];
byte waiters, running = 4;
bool is_listed, is_woken;
byte from = 2;

#define is_all_read !(is_unread[0] && is_visible[0] && id[0] >= from || is_unread[1] && is_visible[1] && id[1] >= from)

inline raise_latest(millisecond) { d_step { if :: latest < millisecond -> latest = millisecond :: else fi } }

inline wake()
{
	if
	:: waiters > 0 -> d_step { if :: is_listed -> is_woken = true; is_listed = false :: else fi }
	:: else
	fi
}

inline clear(slot)
{
#ifdef TWIN_I5_woken_before_cleared
	wake();
	first[slot] = 0
#else
	first[slot] = 0;
	wake()
#endif
}

/* A transaction of the database, whose last id may be ahead of the clock. */
proctype inserter(byte slot)
{
	byte now;
	now = clock;
	first[slot] = now;
	if
	:: id[slot] = now
	:: id[slot] = now + 1
	fi;
	if
	:: /* it aborts */
		clear(slot)
	:: /* it commits */
		d_step { is_visible[slot] = true; is_unread[slot] = true };
#ifdef TWIN_I5_latest_raised_last
		clear(slot);
		raise_latest(id[slot])
#else
		raise_latest(id[slot]);
		clear(slot)
#endif
	:: slot == 0 -> /* it is prepared, and committed */
#ifndef TWIN_I5_prepared_without_latest
		raise_latest(id[slot]);
#endif
		first[P] = now;
		clear(slot);
		d_step { is_visible[slot] = true; is_unread[slot] = true; first[P] = 0 }
	fi;
	running--
}

proctype elsewhere()
{
	first[2] = clock;
	first[2] = 0;
	running--
}

/* The horizon, which horizon.pml proves. A transaction of another database lowers it only if it ended after the
 * snapshot, when the reader finds it in a ring. */
inline compute()
{
	d_step {
		horizon = clock;
		if :: first[0] != 0 && first[0] < horizon -> horizon = first[0] :: else fi;
		if :: first[1] != 0 && first[1] < horizon -> horizon = first[1] :: else fi;
		if :: first[P] != 0 && first[P] < horizon -> horizon = first[P] :: else fi;
	};
	if
	:: first[2] != 0 && first[2] < horizon -> horizon = first[2]
	:: skip
	fi;
}

#define holds_back(slot) (first[slot] != 0 && first[slot] <= from)
#if defined(TWIN_I6_prepared_slots_scanned)
#define scan() is_held = holds_back(0) || holds_back(1) || holds_back(P)
#elif defined(TWIN_I6_other_databases_scanned)
#define scan() is_held = holds_back(0) || holds_back(1) || holds_back(2)
#else
#define scan() is_held = holds_back(0) || holds_back(1)
#endif

inline sleep_until_woken() { is_woken || (running == 0 && is_all_read) }

inline read_up_to(millisecond)
{
	d_step {
		if :: is_visible[0] && id[0] < millisecond -> is_unread[0] = false :: else fi;
		if :: is_visible[1] && id[1] < millisecond -> is_unread[1] = false :: else fi;
		from = millisecond;
	}
}

proctype waiter()
{
	byte horizon, now, seen, idle;
	bool is_held;
#ifndef TWIN_I6_counted_last
	waiters++;
#endif
	seen = latest;
	do
	:: running == 0 && is_all_read -> break
	:: else ->
		assert(idle < 5); /* no loop of returns or of sleeps when all others have ended */
		if :: running == 0 -> idle++ :: else fi;
#ifdef TWIN_I6_scanned_first
		scan();
#endif
		d_step { is_listed = true; is_woken = false };
#ifndef TWIN_I6_latest_loaded_first
		if :: seen < from -> seen = latest :: else fi;
#endif
#ifdef TWIN_I6_counted_last
		if :: waiters == 0 -> waiters++ :: else fi;
#endif
		if
		:: seen < from -> sleep_until_woken()
		:: else ->
			now = clock;
#ifdef TWIN_I6_one_snapshot_for_all
			if :: horizon == 0 -> compute() :: else fi;
#else
			compute();
#endif
			if
			:: horizon > seen -> read_up_to(horizon); seen = latest
			:: horizon <= seen && horizon > from && horizon < now -> read_up_to(horizon); seen = latest
			:: horizon <= seen && horizon > from && horizon >= now /* it sleeps, and looks again */
			:: horizon <= from && from >= now
			:: horizon <= from && from < now ->
#ifndef TWIN_I6_scanned_first
				scan();
#endif
				if :: is_held -> sleep_until_woken() :: else fi
			fi
		fi
	od
}

/* The clock, which is later than all ids in the end. */
proctype time() { clock = 3; clock = 4; running == 1; clock = 7; running-- }

init { atomic { run inserter(0); run inserter(1); run elsewhere(); run waiter(); run time() } }
