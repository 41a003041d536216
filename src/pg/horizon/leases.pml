/* Leases as README has them: generators that take one process field, generate an id and end, by themselves or killed,
 * and a clock. No two generate ids of one millisecond.
 *
 * Compiled with one of the TWIN_ names, a step is left out or two are swapped; then the requirement must be violated. */

byte clock = 1;
bool is_held;
byte unused_from;
byte holders;
bool is_used[7]; /* by millisecond */

inline generate(millisecond)
{
	d_step { assert(!is_used[millisecond]); is_used[millisecond] = true }
}

proctype generator()
{
	byte now = clock;
#ifdef TWIN_L1_taken_in_two_steps
	if :: is_held || unused_from > now -> goto end :: else fi;
	is_held = true;
#else
	atomic { if :: is_held || unused_from > now -> goto end :: else -> is_held = true fi }
#endif
	holders++;
	assert(holders == 1);
#ifndef TWIN_L2_recorded_last
	unused_from = now + 1;
#endif
	generate(now);
	if :: goto ended /* it is killed */ :: now++ /* it runs ahead of the clock */ fi;
#ifndef TWIN_L2_recorded_last
	unused_from = now + 1;
#endif
	generate(now);
	if :: goto ended :: skip fi;
#ifdef TWIN_L2_recorded_last
	unused_from = now + 1;
#endif
ended:
	holders--;
#ifdef TWIN_L3_millisecond_given_back
	unused_from = 0;
#endif
	is_held = false;
end:
	skip
}

proctype time() { clock = 2; clock = 3; clock = 4 }

init { atomic { run generator(); run generator(); run generator(); run time() } }
