/* The horizon and the guard as README has them: inserters that generate an id or store an earlier one from elsewhere,
 * and commit, abort or are prepared; a reader; and a clock. Each step is one operation on a word of shared memory.
 *
 * Compiled with one of the TWIN_ names, a step is left out or two are swapped; then the requirement must be violated. */

#define SLOTS 3
#define P 2 /* the slot of prepared transactions; the others are backends' */
#define TRANSACTIONS 2

byte clock = 2, floor = 1;
byte first[SLOTS], prepared, count[SLOTS];

typedef Ring { byte xid[TRANSACTIONS]; byte first[TRANSACTIONS] };
Ring ring[SLOTS];

bool is_visible[TRANSACTIONS + 1], is_aborted[TRANSACTIONS + 1], is_in_snapshot[TRANSACTIONS + 1];
bool is_sent[TRANSACTIONS + 1]; /* its invalidation messages, and its locks are released */
#ifdef TWIN_I2_scanned_by_a_later_snapshot
bool is_read[TRANSACTIONS + 1]; /* in the snapshot that rows are read by */
#else
#define is_read is_in_snapshot
#endif
byte id[TRANSACTIONS + 1]; /* 0 where it inserts none */
bool is_slot_free = true;
byte horizon, running = TRANSACTIONS;

inline append(slot, transaction, millisecond)
{
	/* No reader loads the entry before it is counted. */
	d_step {
		ring[slot].xid[count[slot]] = transaction;
		ring[slot].first[count[slot]] = millisecond;
		count[slot]++;
	}
}

inline generate(slot, transaction)
{
	now = clock;
#ifdef TWIN_I1_floor_loaded_first
	seen = floor;
	first[slot] = now;
#else
	first[slot] = now;
	seen = floor;
#endif
	d_step { id[transaction] = (seen > now -> seen : now); now = 0; seen = 0 }
}

inline store_from_elsewhere(slot, transaction)
{
	seen = floor;
	if
	:: seen > 1
	:: else ->
		first[slot] = 1;
#ifndef TWIN_I1_guard_looks_once
		seen = floor;
#endif
		if :: seen > 1 :: else -> id[transaction] = 1 fi
	fi;
	seen = 0
}

inline commit(slot, transaction)
{
	is_visible[transaction] = true;
#ifndef TWIN_I3_sent_last
	is_sent[transaction] = true;
#endif
#ifdef TWIN_I3_cleared_before_the_ring
	now = first[slot];
	first[slot] = 0;
	append(slot, transaction, now);
#else
	append(slot, transaction, first[slot]);
	first[slot] = 0;
#endif
#ifdef TWIN_I3_sent_last
	is_sent[transaction] = true;
#endif
}

inline prepare(slot, transaction)
{
	atomic { is_slot_free -> is_slot_free = false };
	now = first[slot];
#ifdef TWIN_I4_cleared_before_published
	first[slot] = 0;
#endif
	if
	:: first[P] != 0 ->
#ifndef TWIN_I4_former_is_forgotten
		append(P, prepared, first[P])
#else
		skip
#endif
	:: else
	fi;
	prepared = transaction;
	first[P] = now;
	d_step { first[slot] = 0; now = 0 };
	if
	:: is_visible[transaction] = true;
#ifdef TWIN_I4_slot_given_away_before_sent
		is_slot_free = true;
#endif
		is_sent[transaction] = true
	:: is_aborted[transaction] = true
	fi;
	is_slot_free = true
}

inline run_transaction(slot, transaction)
{
	if :: generate(slot, transaction) :: store_from_elsewhere(slot, transaction) fi;
	if
	:: d_step { id[transaction] == 0 || transaction == 1 -> is_aborted[transaction] = true }; first[slot] = 0
	:: id[transaction] != 0 -> commit(slot, transaction)
	:: id[transaction] != 0 -> prepare(slot, transaction)
	fi;
	running--
}

proctype session_of_both()
{
	byte now, seen;
	run_transaction(0, 1);
	run_transaction(0, 2)
}

proctype session(byte slot; byte transaction)
{
	byte now, seen;
	run_transaction(slot, transaction)
}

inline take_snapshot()
{
	d_step { is_in_snapshot[1] = is_visible[1]; is_in_snapshot[2] = is_visible[2] }
}

inline lower_to(millisecond)
{
	if :: millisecond < h -> h = millisecond :: else fi
}

inline scan_slot(slot)
{
#ifdef TWIN_I3_count_loaded_first
	n = count[slot];
#endif
	f = first[slot];
	xid = prepared;
	if
	:: f != 0 && !(slot == P && is_in_snapshot[xid]) -> lower_to(f)
#ifndef TWIN_I2_prepared_lock_not_looked_at
	:: f != 0 && slot == P && is_in_snapshot[xid] && !is_sent[xid] -> lower_to(f)
#endif
	:: else
	fi;
#ifndef TWIN_I3_count_loaded_first
	n = count[slot];
#endif
	do
	:: n == 0 -> break
	:: n > 0 ->
		n--;
		if
		:: is_in_snapshot[ring[slot].xid[n]] -> break
		:: else -> lower_to(ring[slot].first[n])
		fi
	od;
	atomic { f = 0; n = 0; xid = 0 }
}

inline scan()
{
#ifdef TWIN_I4_scanned_backwards
	scan_slot(P); scan_slot(1); scan_slot(0);
#else
	scan_slot(0); scan_slot(1); scan_slot(P);
#endif
}

inline raise_floor()
{
	now = clock;
	if :: h = now :: h = now - 1 /* by a lag */ fi;
	raised = h;
#ifndef TWIN_I2_floor_raised_last
	d_step { if :: floor < raised -> floor = raised :: else fi };
#endif
}

proctype reader()
{
	byte now, h, f, n, xid, raised;
	bool is_heard[TRANSACTIONS + 1];
	take_snapshot();
	raise_floor();
#ifdef TWIN_I2_scanned_by_a_later_snapshot
	d_step { is_read[1] = is_in_snapshot[1]; is_read[2] = is_in_snapshot[2] };
	take_snapshot();
#endif
	scan();
#ifdef TWIN_I2_floor_raised_last
	d_step { if :: floor < raised -> floor = raised :: else fi };
#endif
	d_step { horizon = h; is_heard[1] = is_sent[1]; is_heard[2] = is_sent[2] };
	/* The requirement. */
	running == 0;
	n = 1;
	do
	:: n > TRANSACTIONS -> break
	:: else ->
		assert(id[n] == 0 || id[n] >= horizon || is_read[n] && is_heard[n] || is_aborted[n]);
		n++
	od
}

proctype time() { clock = 3 }

init
{
	atomic {
		if
		:: run session_of_both()
		:: run session(0, 1); run session(1, 2)
		fi;
		run reader();
		run time()
	}
}
