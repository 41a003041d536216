# Rails, Sequel and ruby-pg: an id is a string; a schema.rb has the tables of ids once Rails knows the type, and loses
# them before. Prints TAP.
require "csv"
require "stringio"
require "time"

require "pg"
require "sequel"

ROWS = CSV.read(ENV["LUUID_IDS"], col_sep: "\t")
# In chronological order.
IDS = ROWS.map(&:first)
TIMES = ROWS.map(&:last).compact

$tests = $failed = 0
def check(name, got, expected)
  $tests += 1
  puts "#{"not " unless got == expected}ok #{$tests} - #{name}"
  return if got == expected

  $failed += 1
  puts "# got #{got.inspect}", "# not #{expected.inspect}"
end

# With a mapper that can insert(id), generate, find(id), list those among(ids), those since(time), and all.
def contract(name, mapper, sql)
  sql.exec("TRUNCATE event CASCADE")
  IDS.sort.each { |id| mapper.insert(id) }
  stored = sql.exec("SELECT id FROM event ORDER BY id").column_values(0)
  check("#{name}: ids of the client are stored and read back", [mapper.all, stored], [IDS, IDS])
  check("#{name}: an id finds its row", [mapper.find(IDS[2]), mapper.find("0#{IDS[2][1..]}")], [[IDS[2]], []])
  check("#{name}: an array finds its rows", mapper.among(IDS.values_at(5, 0, 3)), IDS.values_at(0, 3, 5))
  TIMES.each do |time|
    first = ROWS.index { |row| row.last == time }
    check("#{name}: a time finds the rows since", mapper.since(Time.iso8601(time)), IDS[first..])
  end
  sql.exec("TRUNCATE event CASCADE")
  made = Array.new(20) { mapper.generate }
  check("#{name}: ids of the server come back as made", [mapper.all, made.all? { |id| id[14] == "7" }], [made, true])
end

# ruby-pg -------------------------------------------------------------------------------------------------------------

PGCONN = PG.connect
class RubyPg
  def found(condition, *values)
    PGCONN.exec_params("SELECT id FROM event WHERE #{condition} ORDER BY id", values).column_values(0)
  end


  def insert(id) = PGCONN.exec_params("INSERT INTO event (id) VALUES ($1)", [id])
  def generate = PGCONN.exec("INSERT INTO event DEFAULT VALUES RETURNING id").getvalue(0, 0)
  def find(id) = found("id = $1", id)
  def among(ids) = found("id = ANY ($1)", PG::TextEncoder::Array.new.encode(ids))
  def since(time) = found("id >= $1::timestamptz", time.iso8601(6))
  def all = found("true")
end
contract("ruby-pg", RubyPg.new, PGCONN)

# Sequel --------------------------------------------------------------------------------------------------------------

DB = Sequel.connect("postgres:///", host: ENV["PGHOST"], port: ENV["PGPORT"], user: ENV["PGUSER"],
                                    password: ENV["PGPASSWORD"], database: ENV["PGDATABASE"])
class SequelRows
  def rows = DB[:event].order(:id)
  def insert(id) = DB[:event].insert(id: id)
  def generate = DB[:event].insert
  def find(id) = rows.where(id: id).select_map(:id)
  def among(ids) = rows.where(id: ids).select_map(:id)
  def since(time) = rows.where { id >= Sequel.cast(time.iso8601(6), :timestamptz) }.select_map(:id)
  def all = rows.select_map(:id)
end
contract("Sequel", SequelRows.new, PGCONN)

# Rails ---------------------------------------------------------------------------------------------------------------

require "active_record"

ActiveRecord::SchemaDumper.ignore_tables = ["legacy"]
def schema
  ActiveRecord::Base.establish_connection(adapter: "postgresql")
  dumped = StringIO.new
  # It dumps what a pool connects to since 7.2, and what a connection does before.
  source = ActiveRecord.version < Gem::Version.new("7.2") ? :connection : :connection_pool
  ActiveRecord::SchemaDumper.dump(ActiveRecord::Base.public_send(source), dumped)
  dumped.string
end

PGCONN.exec(<<~SQL)
  CREATE TABLE item (id luuid PRIMARY KEY DEFAULT luuid_generate_v7(), event_id luuid REFERENCES event, ids luuid[])
SQL
# In a process of its own, since the adapter keeps the types that it has met.
untold = IO.popen("-") do |process|
  next process.read if process

  $stderr.reopen(File::NULL) # it says that it does not know the type
  $stdout.write(schema)
  $stdout.flush
  exit!
end
check("untold, Rails loses the tables", untold.scan(/(Could not dump table|create_table) "(\w+)"/),
      [["Could not dump table", "event"], ["Could not dump table", "item"]])

require "./luuid_rails"
known = schema
check("told, it has them", known.scan(/create_table "(\w+)", id: :luuid, default: -> { "luuid_generate_v7\(\)" }/),
      [["event"], ["item"]])
check("... with their columns", known.scan(/t\.luuid.*/), ['t.luuid "event_id"', 't.luuid "ids", array: true'])

PGCONN.exec("DROP TABLE item, event")
ActiveRecord::Migration.verbose = false
eval(known)
check("... and makes the same of them", schema, known)

class Event < ActiveRecord::Base
  self.table_name = "event"
end
class RailsModel
  def rows = Event.order(:id)
  def insert(id) = Event.create!(id: id)
  def generate = Event.create!.id
  def find(id) = rows.where(id: id).ids
  def among(ids) = rows.where(id: ids).ids
  def since(time) = rows.where("id >= ?::timestamptz", time).ids
  def all = rows.ids
end
contract("Rails", RailsModel.new, PGCONN)
check("Rails: a time without its type finds nothing", Event.where(id: Time.at(0)..).count, 0)

ActiveRecord::SchemaDumper.ignore_tables = ["event", "item"]
check("Rails: schema.rb keeps the default and the index by time of a uuid column",
      schema.scan(/create_table "legacy".*luuid_generate_v7|t.index "\(\(id\)::luuid\)", name: "legacy_by_time"$/).size, 2)

puts "1..#{$tests}"
exit $failed == 0
