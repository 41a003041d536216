-- Without luuid: a version-7 id of a given time (RFC 9562 §5.7), and the least one of a time, as users write them in SQL.
CREATE FUNCTION v7_from(at timestamptz, rest bytea) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
    SELECT encode(substring(int8send((extract(epoch FROM at) * 1000)::int8) FROM 3) || rest, 'hex')::uuid
$$;
CREATE FUNCTION v7(at timestamptz) RETURNS uuid LANGUAGE sql AS $$
    SELECT v7_from(at, set_byte(substring(uuid_send(gen_random_uuid()) FROM 7), 0, 112 + (random() * 15)::int))
$$;
CREATE FUNCTION v7_floor(at timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
    SELECT v7_from(at, '\x70008000000000000000')
$$;
