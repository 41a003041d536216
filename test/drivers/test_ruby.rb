# Rails, Sequel and ruby-pg: an id is a string; a schema.rb has the tables of ids once Rails knows the type, and loses
# them before. Writes what it checked itself, and then answers programs.py.
require "stringio"
require "time"

require "pg"
require "sequel"

$stdout.sync = true
def own(name, got, expected) = puts(["own", name, got.inspect, expected.inspect].join("\t"))

# ruby-pg -------------------------------------------------------------------------------------------------------------

PGCONN = PG.connect
def rows(kind, statement, *values)
  return values.each { |id| PGCONN.exec_params(statement, [id]) } if kind == "each"

  values = [PG::TextEncoder::Array.new.encode(values)] if kind == "ids"
  PGCONN.exec_params(statement, values).column_values(0)
end

# Sequel --------------------------------------------------------------------------------------------------------------

DB = Sequel.connect("postgres:///", host: ENV["PGHOST"], port: ENV["PGPORT"], user: ENV["PGUSER"],
                                    password: ENV["PGPASSWORD"], database: ENV["PGDATABASE"])
class SequelRows
  def rows = DB[:event].order(:id)
  def insert(*ids) = ids.each { |id| DB[:event].insert(id: id) }
  def generate = [DB[:event].insert]
  def find(id) = rows.where(id: id).select_map(:id)
  alias refuse find
  def among(*ids) = rows.where(id: ids).select_map(:id)
  def since(time) = rows.where { id >= Sequel.cast(time, :timestamptz) }.select_map(:id)
  def ordered = rows.select_map(:id)
end

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
own("untold, Rails loses the tables", untold.scan(/(Could not dump table|create_table) "(\w+)"/),
      [["Could not dump table", "event"], ["Could not dump table", "item"]])

require "./luuid_rails"
known = schema
own("told, it has them", known.scan(/create_table "(\w+)", id: :luuid, default: -> { "luuid_generate_v7\(\)" }/),
      [["event"], ["item"]])
own("... with their columns", known.scan(/t\.luuid.*/), ['t.luuid "event_id"', 't.luuid "ids", array: true'])

PGCONN.exec("DROP TABLE item, event")
ActiveRecord::Migration.verbose = false
eval(known)
own("... and makes the same of them", schema, known)

class Event < ActiveRecord::Base
  self.table_name = "event"
end
class RailsModel
  def rows = Event.order(:id)
  def insert(*ids) = ids.each { |id| Event.create!(id: id) }
  def generate = [Event.create!.id]
  def find(id) = rows.where(id: id).ids
  # Of its own type it would make nil of the text.
  def refuse(text) = rows.where("id = ?", text).ids
  def among(*ids) = rows.where(id: ids).ids
  def since(time) = rows.where("id >= ?::timestamptz", Time.iso8601(time)).ids
  def ordered = rows.ids
end
Event.create!
own("Rails: a time without its type finds nothing", Event.where(id: Time.at(0)..).count, 0)

ActiveRecord::SchemaDumper.ignore_tables = ["event", "item"]
own("Rails: schema.rb keeps the default and the index by time of a uuid column",
    schema.scan(/create_table "legacy".*luuid_generate_v7|t.index "\(\(id\)::luuid\)", name: "legacy_by_time"$/).size, 2)

puts "sql\truby-pg", "mapper\tSequel", "mapper\tRails", "ready"
drivers = { "Sequel" => SequelRows.new, "Rails" => RailsModel.new }
$stdin.each_line(chomp: true) do |line|
  driver, command, *values = line.split("\t")
  found = driver == "ruby-pg" ? rows(command, *values) : drivers[driver].public_send(command, *values)
  puts found.join("\t")
rescue PG::Error, Sequel::DatabaseError, ActiveRecord::StatementInvalid => error
  error = error.cause unless error.is_a?(PG::Error)
  puts "error\t#{error.result.error_field(PG::Result::PG_DIAG_SQLSTATE)}"
end
